import { connect } from 'node:net';
import { heard, openChild, pipeChild, runChild } from './child.ts';
import type { Executor } from './executor.ts';

/** The host that the program itself runs on, as a back end. */
export function localExecutor(backend: string): Executor {
  return {
    run: (argv, options) => runChild(backend, argv, options),
    open: openChild,
    connect: (path) => heard(connect({ path })),
    pipe: (argv, streams) => pipeChild(backend, argv, streams),
    close: async () => {},
  };
}
