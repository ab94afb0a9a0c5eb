import { cpus, totalmem } from 'node:os';

/** What the figures were measured on, without names that tell whose machine it is. */
export function machine(postgresVersion: string): string {
  const processors = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  return (
    `${processors.length} × ${model}, ${memory} GB of memory, ${process.platform} ${process.arch}, ` +
    `Node ${process.versions.node}, PostgreSQL ${postgresVersion}`
  );
}
