#include "crawler/cli.h"

int main(int argc, char** argv) {
  return crawler::run_cli(argc, argv);
}
