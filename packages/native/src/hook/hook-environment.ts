/**
 * The environment of a watched command: all of `env`, the hook before whatever is preloaded already, and where to say what
 * is built.
 */
export function hookEnvironment(env: NodeJS.ProcessEnv, hook: string, socket: string): NodeJS.ProcessEnv {
  const others = env['LD_PRELOAD'];
  return {
    ...env,
    LD_PRELOAD: others === undefined || others === '' ? hook : `${hook}:${others}`,
    TRTSCOPE_SOCKET: socket,
  };
}
