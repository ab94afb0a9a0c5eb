import { jobs } from '../backend/src/jobs.generated.ts';
import { jobPriority } from '../backend/src/work/job.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The priorities of all jobs, by name: what enqueues a job does not load what does it. */
export function priorities(): GeneratedFile[] {
  const lines = jobs
    .flatMap((job) => (job.kind === 'tick' ? [] : [`  ['${job.name}', '${jobPriority(job)}'],\n`]))
    .sort();
  return [
    {
      name: 'backend/src/work/priorities.generated.ts',
      text: `// Made by \`npm run generate\` from the tree. Do not edit.
import type { Priority } from './priority.ts';

export const PRIORITIES: ReadonlyMap<string, Priority> = new Map([
${lines.join('')}]);
`,
    },
  ];
}
