import type { Environment } from '../parent-context.ts';
import { attributes } from '../semconv.ts';

type Name = (typeof attributes)[keyof typeof attributes]['name'];
type Value = (environment: Environment) => string | undefined;

interface CiSystem {
  /** The variable that says so. */
  readonly marker: string;
  readonly values: Readonly<Partial<Record<Name, Value>>>;
}

const variable =
  (...names: readonly string[]): Value =>
  (environment) =>
    names.map((name) => environment[name]).find((value) => value !== undefined && value !== '');

/** One row for each CI system; no variable that may hold a secret is read. */
const systems: readonly CiSystem[] = [
  {
    marker: 'GITHUB_ACTIONS',
    values: {
      [attributes.pipelineName.name]: variable('GITHUB_WORKFLOW'),
      [attributes.pipelineRunId.name]: variable('GITHUB_RUN_ID'),
      [attributes.pipelineRunUrl.name]: (env) => githubUrl(env, `/actions/runs/${env['GITHUB_RUN_ID']}`),
      [attributes.taskName.name]: variable('GITHUB_JOB'),
      [attributes.providerName.name]: () => 'github',
      [attributes.repositoryName.name]: (env) => env['GITHUB_REPOSITORY']?.split('/').at(-1),
      [attributes.repositoryUrl.name]: (env) => githubUrl(env, ''),
      [attributes.headName.name]: variable('GITHUB_HEAD_REF', 'GITHUB_REF_NAME'),
      [attributes.headType.name]: (env) => (env['GITHUB_HEAD_REF'] ? 'branch' : env['GITHUB_REF_TYPE']),
      [attributes.headRevision.name]: variable('GITHUB_SHA'),
      [attributes.baseName.name]: variable('GITHUB_BASE_REF'),
      [attributes.changeId.name]: (env) => /^refs\/pull\/(\d+)\//u.exec(env['GITHUB_REF'] ?? '')?.[1],
    },
  },
  {
    marker: 'GITLAB_CI',
    values: {
      [attributes.pipelineName.name]: variable('CI_PIPELINE_NAME', 'CI_PROJECT_PATH'),
      [attributes.pipelineRunId.name]: variable('CI_PIPELINE_ID'),
      [attributes.pipelineRunUrl.name]: variable('CI_PIPELINE_URL'),
      [attributes.taskName.name]: variable('CI_JOB_NAME'),
      [attributes.taskRunId.name]: variable('CI_JOB_ID'),
      [attributes.taskRunUrl.name]: variable('CI_JOB_URL'),
      [attributes.providerName.name]: () => 'gitlab',
      [attributes.repositoryName.name]: variable('CI_PROJECT_NAME'),
      [attributes.repositoryUrl.name]: variable('CI_PROJECT_URL'),
      [attributes.headName.name]: variable('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME', 'CI_COMMIT_REF_NAME'),
      [attributes.headType.name]: (env) => (env['CI_COMMIT_TAG'] ? 'tag' : 'branch'),
      [attributes.headRevision.name]: variable('CI_COMMIT_SHA'),
      [attributes.baseName.name]: variable('CI_MERGE_REQUEST_TARGET_BRANCH_NAME'),
      [attributes.changeId.name]: variable('CI_MERGE_REQUEST_IID'),
    },
  },
];

/** Which CI job this is, for the resource; nothing outside CI. */
export function ciAttributes(environment: Environment): Record<string, string> {
  const system = systems.find(({ marker }) => environment[marker] === 'true');
  const found = Object.entries(system?.values ?? {}).map(
    ([name, value]) => [name, value(environment)] as const,
  );
  return Object.fromEntries(
    found.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, clean(value)]])),
  );
}

function githubUrl(environment: Environment, path: string): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = environment;
  return server && repository ? `${server}/${repository}${path}` : undefined;
}

/** An address without what somebody may have put before its host. */
function clean(value: string): string {
  return value.replace(/^(https?:\/\/)[^/@]*@/u, '$1');
}
