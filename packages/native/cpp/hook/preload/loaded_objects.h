#ifndef TRTSCOPE_HOOK_LOADED_OBJECTS_H
#define TRTSCOPE_HOOK_LOADED_OBJECTS_H

#include <link.h>
#include <stdbool.h>

// The shared objects of this process, read from their own tables: alike on glibc and musl, and without dlsym, which
// this library stands in front of.
typedef struct {
  const char* path;  // as the loader has it; "" for the program itself
  ElfW(Addr) base;
  const ElfW(Phdr) * phdr;
  ElfW(Half) phdrCount;
} LoadedObject;

// A function or a variable that the object itself defines and exports, or null.
void* symbolIn(const LoadedObject* object, const char* name);

// The object that holds this address.
bool objectAt(const void* address, LoadedObject* found);

// The same of the first object that has it, in the order of loading, after the one that holds `self`.
void* nextSymbol(const void* self, const char* name);

// Finds the object that defines the symbol, the one that holds `self` left out: one that the object at `caller` says it
// needs, else the first. Answers how many could be meant: 1 for a needed one.
int definersOf(const char* name, const void* self, const void* caller, LoadedObject* found);

#endif
