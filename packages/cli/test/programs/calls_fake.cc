// calls_fake LIBRARY: says whether its function answers what it should.
#include <dlfcn.h>

#include <cstdio>

int main(int, char** argv) {
  void* const library = dlopen(argv[1], RTLD_NOW);
  if (library == nullptr) return 2;
  const auto create = reinterpret_cast<void* (*)(void*, int)>(dlsym(library, "createInferBuilder_INTERNAL"));
  int logger = 0;
  std::puts(create(&logger, 7) == &logger ? "as it should" : "something else");
  return 5;
}
