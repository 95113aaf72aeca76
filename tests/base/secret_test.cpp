#include "base/secret.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace {

constexpr std::size_t kMax = 255;

class SecretTest : public ::testing::Test {
 protected:
  SecretTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "secret_XXXXXX";
    folder = ::mkdtemp(pattern.data());
    ::unsetenv("CREDENTIALS_DIRECTORY");
  }
  ~SecretTest() override {
    ::unsetenv("CREDENTIALS_DIRECTORY");
    std::filesystem::remove_all(folder);
  }

  std::string write(const std::string& name, const std::string& text, mode_t mode = 0600) const {
    const std::string path = folder + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }
  /// The secret, or why there is none.
  static std::string read(const std::string& where) {
    try {
      return "read " + base::read_secret(where, kMax);
    } catch (const std::runtime_error& failed) {
      return failed.what();
    }
  }

  std::string folder;
};

TEST_F(SecretTest, IsTheFirstLineOfAPrivateFile) {
  EXPECT_EQ(read(write("p", "secret\nmore\n")), "read secret");
  EXPECT_EQ(read(write("fits", std::string(kMax, 'x'))), "read " + std::string(kMax, 'x'));
  const std::string large = write("large", std::string(kMax + 1, 'x'));
  EXPECT_EQ(read(large), large + ": its first line is too long");
  const std::string empty = write("empty", "");
  EXPECT_EQ(read(empty), empty + ": holds no secret");
  EXPECT_EQ(read(folder + "/none"), folder + "/none: cannot be read: No such file or directory");
}

TEST_F(SecretTest, IsRefusedWhenOthersMayUseTheFile) {
  for (const mode_t mode : {0640U, 0620U, 0610U, 0604U, 0602U, 0601U}) {
    const std::string path = write("p", "secret\n", mode);
    EXPECT_EQ(read(path), path + ": others than its owner may use it: chmod 600 " + path) << mode;
  }
  EXPECT_EQ(read(write("p", "secret\n", 0400)), "read secret");
}

TEST_F(SecretTest, MayBeACredential) {
  EXPECT_EQ(read("credential:proxy"),
            "credential:proxy: there are no credentials; LoadCredential=proxy:/path in the unit makes one");
  ::setenv("CREDENTIALS_DIRECTORY", folder.c_str(), 1);
  const std::string path = write("proxy", "secret\n", 0440);  // as systemd makes it, with an access list
  EXPECT_EQ(read("credential:proxy"), "read secret");
  EXPECT_EQ(read(path), "read secret");
  EXPECT_EQ(read("credential:none"), folder + "/none: cannot be read: No such file or directory");
  for (const std::string name : {"", ".", "..", "../proxy", "/etc/passwd"}) {
    EXPECT_EQ(read("credential:" + name), "credential:" + name + ": no name of a credential");
  }
}

}  // namespace
