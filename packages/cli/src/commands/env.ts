import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { oneOf, parsed, someText } from '../options/values.ts';

interface EnvValues {
  readonly socket: string;
  readonly form?: 'shell' | 'docker' | 'kubernetes';
}

export function addEnvCommand(program: Command, done: (exitCode: number) => void): void {
  program
    .command('env')
    .summary('print the variables that have a program watched')
    .description('Prints what to set where a program starts that trtscope watch is to watch.')
    .addOption(parsed('--socket <path>', 'where trtscope watch listens', someText).makeOptionMandatory())
    .addOption(
      parsed(
        '--form <kind>',
        'shell (default), docker or kubernetes',
        oneOf(['shell', 'docker', 'kubernetes']),
      ),
    )
    .action(async ({ socket, form = 'shell' }: EnvValues) => {
      const { hookEnvironment, hookPath } = await import('@trtscope/native');
      const variables = Object.entries(hookEnvironment({}, hookPath(), resolve(socket))) as [
        string,
        string,
      ][];
      process.stdout.write(forms[form](variables, [dirname(hookPath()), dirname(resolve(socket))]));
      done(0);
    });
}

type Form = (
  variables: readonly [string, string][],
  folders: readonly [hook: string, socket: string],
) => string;

const forms: Readonly<Record<NonNullable<EnvValues['form']>, Form>> = {
  shell: (variables) => variables.map(([name, value]) => `export ${name}=${quoted(value)}\n`).join(''),
  docker: (variables, [hook, socket]) =>
    [
      `--volume ${quoted(`${hook}:${hook}:ro`)}`,
      `--volume ${quoted(`${socket}:${socket}`)}`,
      ...variables.map(([name, value]) => `--env ${quoted(`${name}=${value}`)}`),
      '',
    ].join('\n'),
  kubernetes: (variables, [hook, socket]) => `# in the pod's spec:
volumes:
  - name: trtscope-hook
    hostPath: { path: ${JSON.stringify(hook)} }
  - name: trtscope-socket
    hostPath: { path: ${JSON.stringify(socket)} }
# in the container's:
volumeMounts:
  - { name: trtscope-hook, mountPath: ${JSON.stringify(hook)}, readOnly: true }
  - { name: trtscope-socket, mountPath: ${JSON.stringify(socket)} }
env:
${variables.map(([name, value]) => `  - { name: ${name}, value: ${JSON.stringify(value)} }\n`).join('')}`,
};

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
