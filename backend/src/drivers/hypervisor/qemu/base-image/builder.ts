import { localExecutor } from '../../../host/local.ts';
import { buildImage, buildProblem, type ImageOrder } from './build.ts';
import { DISTRIBUTIONS, MIRRORS, type Mirrors } from './distribution.ts';

/** Builds images of servers on the machine that the program runs on. */
export interface ImageBuilder {
  /** Of what, by the names that orders use. */
  readonly distributions: readonly string[];
  /** What keeps images from being built here, or null. */
  problem(): Promise<string | null>;
  /** Builds one into a file; its SHA-256. Mirrors that are left out are the distribution's own. */
  build(
    distribution: string,
    order: Pick<ImageOrder, 'output' | 'tell'> & { readonly mirrors: Partial<Mirrors> },
  ): Promise<string>;
}

export function localImageBuilder(): ImageBuilder {
  const executor = localExecutor('qemu');
  return {
    distributions: [...DISTRIBUTIONS.keys()],
    problem: () => buildProblem(executor),
    async build(name, { mirrors, ...order }) {
      const distribution = DISTRIBUTIONS.get(name);
      if (distribution === undefined) throw new RangeError(`no images of ${name} are built`);
      return await buildImage(executor, { ...order, distribution, mirrors: { ...MIRRORS, ...mirrors } });
    },
  };
}
