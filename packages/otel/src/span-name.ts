const quoted = /"[^"]*"|“[^”]*”|‘[^’]*’|«[^»]*»|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;
const wordWithDigit = /[^\s()[\]{}]*\p{N}[^\s()[\]{}]*/gu;
const loosePunctuation = /(?<=^|\s)[\p{P}\p{S}]+(?=\s|$)|[\s:;,=#/–—-]+$/gu;
const bracketsAround = /\(\s*\)|\[\s*\]|\{\s*\}|(?<=[([{])\s+|\s+(?=[)\]}])/gu;

/** A phase's title without what varies from build to build: quoted parts, and words that have a digit. Never empty. */
export function phaseSpanName(title: string): string {
  const general = title.replace(quoted, ' ').replace(wordWithDigit, ' ');
  if (general === title && title.trim() !== '') return title;
  const name = general.replace(bracketsAround, '').replace(loosePunctuation, '').replace(/\s+/gu, ' ').trim();
  return name === '' ? 'phase' : name;
}

/** `build {network or engine name}`. */
export function buildSpanName(name: string | undefined): string {
  return name === undefined ? 'build' : `build ${name}`;
}

/** A file's name without folders and extension. */
export function stem(path: string): string {
  const base = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const dot = base.lastIndexOf('.');
  return dot > 0 ? base.slice(0, dot) : base;
}

/** `run {command name}`. */
export function runSpanName(command: string): string {
  return `run ${stem(command)}`;
}
