import { createHash } from 'node:crypto';
import type { Volume } from '../cluster.ts';
import { type Call, type Endpoint, integer, node, nodeOf, optional, storage, vmid } from '../endpoint.ts';
import { died, wrongParameters } from '../refusal.ts';

/** Where an image of a medium says that it is one (ECMA-119): the first volume descriptor. */
const DESCRIPTOR = 16 * 2048;

export const storageEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/nodes/{node}/storage/{storage}/content',
    permissions: [
      { path: '/storage/{storage}', privileges: ['Datastore.Audit', 'Datastore.AllocateSpace'], any: true },
    ],
    parameters: {
      node,
      storage,
      vmid: optional(vmid),
      content: {
        type: 'string',
        enum: ['images', 'iso', 'backup', 'vztmpl', 'rootdir', 'snippets', 'import'],
        optional: true,
      },
    },
    proxied: true,
    code(call) {
      const { content, vmid: owner } = call.values;
      const { volumes, id } = call.cluster.storage(String(call.values.storage), nodeOf(call));
      return volumes
        .filter(
          (one) =>
            (one.node === null || one.node === nodeOf(call)) &&
            (content === undefined || one.content === content) &&
            (owner === undefined || one.vmid === owner),
        )
        .map(({ volid, content: kind, vmid: of, size, ctime, notes }) => ({
          ...{ volid, content: kind, size, ctime, storage: id, format: kind === 'iso' ? 'iso' : 'raw' },
          ...(of === null ? {} : { vmid: of }),
          ...(notes === undefined ? {} : { notes }),
        }));
    },
  },
  {
    method: 'POST',
    path: '/nodes/{node}/storage/{storage}/upload',
    permissions: [{ path: '/storage/{storage}', privileges: ['Datastore.AllocateTemplate'] }],
    parameters: {
      ...{ node, storage, content: { type: 'string', enum: ['iso', 'vztmpl', 'import'] } },
      filename: { type: 'string', maxLength: 255 },
      checksum: { type: 'string', optional: true, requires: 'checksum-algorithm' },
      'checksum-algorithm': {
        type: 'string',
        enum: ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'],
        optional: true,
        requires: 'checksum',
      },
    },
    code: upload,
  },
  {
    method: 'DELETE',
    path: '/nodes/{node}/storage/{storage}/content/{volume}',
    permissions: [],
    parameters: { node, storage, volume: { type: 'string' }, delay: { ...integer(1), maximum: 30 } },
    proxied: true,
    code(call) {
      const { cluster, user, values } = call;
      const store = cluster.storage(String(values.storage), nodeOf(call));
      const given = String(values.volume);
      const volid = given.startsWith(`${store.id}:`) ? given : `${store.id}:${given}`;
      const volume: Volume = cluster.mustHaveVolume(volid, nodeOf(call));
      if (volume.content === 'backup') {
        call.check(`/storage/${store.id}`, ['Datastore.AllocateSpace']);
        call.check(`/vms/${volume.vmid}`, ['VM.Backup']);
      } else call.check(`/storage/${store.id}`, ['Datastore.Allocate']);
      return cluster.tasks.start(
        {
          node: nodeOf(call),
          type: 'imgdel',
          id: `${volume.vmid ?? ''}@${store.id}`,
          user,
          seconds: cluster.now,
        },
        () => {},
        () => cluster.removeVolume(volid, nodeOf(call)),
      );
    },
  },
];

function upload({ cluster, user, values, file, ...call }: Call): string {
  const on = nodeOf({ cluster, user, values, file, ...call });
  const store = cluster.storage(String(values.storage), on);
  if (store.type === 'lvmthin') throw died(`can't upload to storage type '${store.type}'`);
  if (file === null) throw died('missing temporary file name');
  const filename = String(values.filename)
    .replace(/^.*[/\\]/, '')
    .replace(/[^a-zA-Z0-9_.-]/g, '_');
  if (!/\.(iso|img)$/i.test(filename)) throw wrongParameters({ filename: 'wrong file extension' });
  if (!store.content.includes('iso')) throw died(`storage '${store.id}' does not support 'iso' content`);
  return cluster.tasks.start(
    { node: on, type: 'imgcopy', id: '', user, seconds: cluster.now },
    () => {},
    () => {
      const { checksum, 'checksum-algorithm': algorithm } = values;
      if (algorithm !== undefined) {
        const got = createHash(String(algorithm)).update(file).digest('hex');
        if (got !== checksum) throw died(`checksum mismatch: got '${got}' != expect '${checksum}'`);
      }
      if (file.toString('latin1', DESCRIPTOR + 1, DESCRIPTOR + 6) !== 'CD001')
        throw died('not a valid ISO image');
      // What is there of this name is overwritten.
      cluster.addVolume(store, on, {
        volid: `${store.id}:iso/${filename}`,
        content: 'iso',
        vmid: null,
        size: file.length,
        bytes: file,
      });
    },
  );
}
