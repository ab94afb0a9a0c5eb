// Made by `npm run generate` from the tree. Do not edit.
import type { Job } from './work/job.ts';

export const jobs: readonly Job[] = [
];
