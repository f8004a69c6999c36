/**
 * C++ that derives a class from each of `names`, abstract classes of NVIDIA's header `text`, in which every function ends
 * the process: so that a stand-in need only override what it has.
 */
export function refusingClasses(text: string, names: readonly string[]): string {
  const classes = names.map((name) => {
    const body = new RegExp(`^class ${name} : public VRoot\\n\\{([\\s\\S]*?)^\\};`, 'mu').exec(text)?.[1];
    if (body === undefined) throw new Error(`the header has no class ${name}`);
    const functions = [...body.matchAll(/virtual ([^;]*?)\s*=\s*0;/gu)].map(([, declaration = '']) => {
      const called = /(\w+)\(/u.exec(declaration)?.[1] ?? '';
      return `  ${declaration} override { refuse("${name}::${called}"); }\n`;
    });
    return `struct Refusing${name} : nvinfer1::apiv::${name} {\n${functions.join('')}};\n`;
  });
  return [
    '#include <cstdio>\n#include <cstdlib>\nnamespace {\nusing namespace nvinfer1;\n',
    '[[noreturn]] void refuse(const char* function) {\n',
    '  std::fprintf(stderr, "%s was called\\n", function);\n  std::abort();\n}\n',
    ...classes,
    '}\n',
  ].join('');
}
