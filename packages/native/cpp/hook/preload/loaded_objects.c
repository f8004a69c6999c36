#include "loaded_objects.h"

#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  const ElfW(Sym) * symbols;
  const char* strings;
  const uint32_t* gnuHash;
  const uint32_t* hash;
  const ElfW(Dyn) * dynamic;
} Tables;

// glibc writes addresses over the offsets in most objects, musl leaves them, and nobody touches the kernel's own.
static const void* place(ElfW(Addr) base, ElfW(Addr) where) {
  return (const void*)(where < base ? base + where : where);
}

static bool readTables(const struct dl_phdr_info* info, Tables* tables) {
  memset(tables, 0, sizeof(*tables));
  for (int at = 0; at < info->dlpi_phnum; ++at) {
    if (info->dlpi_phdr[at].p_type == PT_DYNAMIC) {
      tables->dynamic = (const ElfW(Dyn)*)(info->dlpi_addr + info->dlpi_phdr[at].p_vaddr);
    }
  }
  if (tables->dynamic == NULL) return false;
  for (const ElfW(Dyn)* entry = tables->dynamic; entry->d_tag != DT_NULL; ++entry) {
    const void* where = place(info->dlpi_addr, entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) tables->symbols = where;
    if (entry->d_tag == DT_STRTAB) tables->strings = where;
    if (entry->d_tag == DT_GNU_HASH) tables->gnuHash = where;
    if (entry->d_tag == DT_HASH) tables->hash = where;
  }
  return tables->symbols != NULL && tables->strings != NULL;
}

static bool isDefinedKind(int type) { return type == STT_FUNC || type == STT_OBJECT; }

static bool isMeant(const Tables* tables, uint32_t index, const char* name) {
  const ElfW(Sym)* symbol = &tables->symbols[index];
  return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 && isDefinedKind(symbol->st_info & 0xF) &&
         strcmp(tables->strings + symbol->st_name, name) == 0;
}

// Several versions of a function are several symbols of one name: any of them will do.
static uint32_t findByGnuHash(const Tables* tables, const char* name) {
  const uint32_t* table = tables->gnuHash;
  const uint32_t bucketCount = table[0];
  const uint32_t firstHashed = table[1];
  const uint32_t* buckets = (const uint32_t*)((const ElfW(Addr)*)(table + 4) + table[2]);
  const uint32_t* chains = buckets + bucketCount;
  if (bucketCount == 0) return 0;
  uint32_t hash = 5381;
  for (const unsigned char* letter = (const unsigned char*)name; *letter != 0; ++letter) hash = hash * 33 + *letter;
  for (uint32_t index = buckets[hash % bucketCount]; index >= firstHashed && index != 0; ++index) {
    const uint32_t chained = chains[index - firstHashed];
    if ((chained | 1) == (hash | 1) && isMeant(tables, index, name)) return index;
    if (chained & 1) break;
  }
  return 0;
}

static uint32_t findByHash(const Tables* tables, const char* name) {
  const uint32_t symbolCount = tables->hash[1];
  for (uint32_t index = 1; index < symbolCount; ++index) {
    if (isMeant(tables, index, name)) return index;
  }
  return 0;
}

static void* symbolOf(const struct dl_phdr_info* info, const Tables* tables, const char* name) {
  uint32_t index = 0;
  if (tables->gnuHash != NULL) {
    index = findByGnuHash(tables, name);
  } else if (tables->hash != NULL) {
    index = findByHash(tables, name);
  }
  return index == 0 ? NULL : (void*)(info->dlpi_addr + tables->symbols[index].st_value);
}

static bool holds(const struct dl_phdr_info* info, const void* address) {
  const ElfW(Addr) where = (ElfW(Addr))address;
  for (int at = 0; at < info->dlpi_phnum; ++at) {
    const ElfW(Phdr)* part = &info->dlpi_phdr[at];
    const ElfW(Addr) start = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && where >= start && where < start + part->p_memsz) return true;
  }
  return false;
}

static const char* sonameOf(const Tables* tables) {
  for (const ElfW(Dyn)* entry = tables->dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SONAME) return tables->strings + entry->d_un.d_val;
  }
  return "";
}

static bool needs(const Tables* tables, const char* soname) {
  for (const ElfW(Dyn)* entry = tables->dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_NEEDED && strcmp(tables->strings + entry->d_un.d_val, soname) == 0) return true;
  }
  return false;
}

typedef struct {
  const char* name;
  const void* self;
  const void* caller;
  bool callerKnown;
  Tables callerTables;
  bool passedSelf;
  int definers;
  bool needed;
  void* symbol;
  struct dl_phdr_info at;
} Search;

static int seeCaller(struct dl_phdr_info* info, size_t size, void* data) {
  Search* search = data;
  (void)size;
  if (!holds(info, search->caller)) return 0;
  search->callerKnown = readTables(info, &search->callerTables);
  search->at = *info;
  return 1;
}

static int seeNext(struct dl_phdr_info* info, size_t size, void* data) {
  Search* search = data;
  Tables tables;
  (void)size;
  if (!search->passedSelf) {
    search->passedSelf = holds(info, search->self);
    return 0;
  }
  if (readTables(info, &tables)) search->symbol = symbolOf(info, &tables, search->name);
  return search->symbol != NULL;
}

static int seeDefiner(struct dl_phdr_info* info, size_t size, void* data) {
  Search* search = data;
  Tables tables;
  (void)size;
  if (holds(info, search->self) || !readTables(info, &tables)) return 0;
  if (symbolOf(info, &tables, search->name) == NULL) return 0;
  const bool needed = search->callerKnown && needs(&search->callerTables, sonameOf(&tables));
  if (search->definers == 0 || needed) search->at = *info;
  ++search->definers;
  search->needed = needed;
  return needed;
}

static void tell(const struct dl_phdr_info* info, LoadedObject* object) {
  object->path = info->dlpi_name == NULL ? "" : info->dlpi_name;
  object->phdr = info->dlpi_phdr;
  object->phdrCount = info->dlpi_phnum;
  object->base = info->dlpi_addr;
}

void* symbolIn(const LoadedObject* object, const char* name) {
  struct dl_phdr_info info = {0};
  Tables tables;
  info.dlpi_addr = object->base;
  info.dlpi_phdr = object->phdr;
  info.dlpi_phnum = object->phdrCount;
  return readTables(&info, &tables) ? symbolOf(&info, &tables, name) : NULL;
}

bool objectAt(const void* address, LoadedObject* found) {
  Search search = {0};
  search.caller = address;
  if (dl_iterate_phdr(seeCaller, &search) == 0) return false;
  tell(&search.at, found);
  return true;
}

void* nextSymbol(const void* self, const char* name) {
  Search search = {0};
  search.name = name;
  search.self = self;
  dl_iterate_phdr(seeNext, &search);
  return search.symbol;
}

int definersOf(const char* name, const void* self, const void* caller, LoadedObject* found) {
  Search search = {0};
  search.name = name;
  search.self = self;
  search.caller = caller;
  dl_iterate_phdr(seeCaller, &search);
  dl_iterate_phdr(seeDefiner, &search);
  if (search.definers > 0) tell(&search.at, found);
  return search.needed ? 1 : search.definers;
}
