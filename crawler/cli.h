#pragma once
// The command line. Data goes to standard output, talk to standard error; exit codes are those of sysexits.h:
// 0, 64 usage, 65 bad input data, 66 no such input, 70 a bug, 74 output failed, 78 configuration.
namespace crawler {

/// Runs the subcommand that `argv` asks for and returns the exit code. Never throws.
int run_cli(int argc, char** argv);

}  // namespace crawler
