import { expect, test } from 'vitest';
import { ciAttributes } from '../src/sdk/ci-attributes.ts';

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_WORKFLOW: 'Nightly',
  GITHUB_RUN_ID: '42',
  GITHUB_JOB: 'engines',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/models',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_REF_NAME: 'main',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_SHA: 'abc',
  GITHUB_HEAD_REF: '',
  GITHUB_BASE_REF: '',
  GITHUB_TOKEN: 'secret-1',
  ACTIONS_RUNTIME_TOKEN: 'secret-2',
};

const gitlab = {
  GITLAB_CI: 'true',
  CI_PROJECT_PATH: 'acme/models',
  CI_PIPELINE_ID: '7',
  CI_PIPELINE_URL: 'https://gitlab.com/acme/models/-/pipelines/7',
  CI_JOB_NAME: 'engines',
  CI_JOB_ID: '70',
  CI_JOB_URL: 'https://gitlab.com/acme/models/-/jobs/70',
  CI_PROJECT_NAME: 'models',
  CI_PROJECT_URL: 'https://gitlab.com/acme/models',
  CI_COMMIT_REF_NAME: 'v1.2',
  CI_COMMIT_TAG: 'v1.2',
  CI_COMMIT_SHA: 'def',
  CI_JOB_TOKEN: 'secret-1',
  CI_REPOSITORY_URL: 'https://gitlab-ci-token:secret-2@gitlab.com/acme/models.git',
};

test('a job of GitHub Actions is told by its run, repository and branch', () => {
  expect(ciAttributes(github)).toEqual({
    'cicd.pipeline.name': 'Nightly',
    'cicd.pipeline.run.id': '42',
    'cicd.pipeline.run.url.full': 'https://github.com/acme/models/actions/runs/42',
    'cicd.pipeline.task.name': 'engines',
    'vcs.provider.name': 'github',
    'vcs.repository.name': 'models',
    'vcs.repository.url.full': 'https://github.com/acme/models',
    'vcs.ref.head.name': 'main',
    'vcs.ref.head.type': 'branch',
    'vcs.ref.head.revision': 'abc',
  });
});

test('a pull request is told by its branch, the branch it is for, and its number', () => {
  const environment = {
    ...github,
    GITHUB_REF: 'refs/pull/12/merge',
    GITHUB_REF_NAME: '12/merge',
    GITHUB_HEAD_REF: 'faster',
    GITHUB_BASE_REF: 'main',
  };
  expect(ciAttributes(environment)).toMatchObject({
    'vcs.ref.head.name': 'faster',
    'vcs.ref.head.type': 'branch',
    'vcs.ref.base.name': 'main',
    'vcs.change.id': '12',
  });
});

test('a job of GitLab CI is told by its pipeline, repository and tag', () => {
  expect(ciAttributes(gitlab)).toEqual({
    'cicd.pipeline.name': 'acme/models',
    'cicd.pipeline.run.id': '7',
    'cicd.pipeline.run.url.full': 'https://gitlab.com/acme/models/-/pipelines/7',
    'cicd.pipeline.task.name': 'engines',
    'cicd.pipeline.task.run.id': '70',
    'cicd.pipeline.task.run.url.full': 'https://gitlab.com/acme/models/-/jobs/70',
    'vcs.provider.name': 'gitlab',
    'vcs.repository.name': 'models',
    'vcs.repository.url.full': 'https://gitlab.com/acme/models',
    'vcs.ref.head.name': 'v1.2',
    'vcs.ref.head.type': 'tag',
    'vcs.ref.head.revision': 'def',
  });
});

test('no secret of a job is told, nor credentials in an address', () => {
  const environment = { ...gitlab, CI_PROJECT_URL: 'https://user:secret-3@gitlab.com/acme/models' };
  const told = [github, environment].map((ci) => JSON.stringify(ciAttributes(ci))).join('');
  expect(told).not.toContain('secret');
  expect(told).toContain('"https://gitlab.com/acme/models"');
});

test('outside CI nothing is told, whatever else the environment has', () => {
  expect(ciAttributes({ GITHUB_SHA: 'abc', CI_COMMIT_SHA: 'def' })).toEqual({});
});
