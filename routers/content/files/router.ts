import { z } from 'zod'
import { type FileContent, withStaged } from '../../../db/file-store/content.ts'
import { findFile, findFileUsage, listFiles, updateFile } from '../../../db/queries/files.ts'
import { findUrlUses } from '../../../db/queries/find.ts'
import { deleteItem } from '../../../db/queries/item-rows.ts'
import type { SpaceWrite } from '../../../db/space-write.ts'
import { sendLast } from '../../../db/transaction.ts'
import { subdomain } from '../../api/fields.ts'
import { inSpace } from '../../api/in-space.ts'
import type { LongText } from '../../api/long-text.ts'
import { after, requirePrecondition, requirePreconditionOf } from '../../api/precondition.ts'
import { invalid, Problem } from '../../api/problem.ts'
import { limits, rules } from '../../api/rules.ts'
import { mapInSlices, validatedInSlices } from '../../api/slices.ts'
import { router } from '../../api/trpc.ts'
import { checkStorage } from '../limits.ts'
import { decodeContent, decodeLong, digestOf } from './content.ts'
import { contentTypeOf } from './content-type.ts'
import { fetchForeign } from './fetch-foreign.ts'
import { File, FileChange, FileFromUrl, FileList, fileId, NewFile } from './schema.ts'
import { storeFile, toFile } from './store-file.ts'

const tags = ['Files']

/** Decodes a file's content. */
const contentFrom = async (content: string | LongText, encoding: (typeof rules.file.encodings)[number]) => {
  const bytes =
    typeof content === 'string' ? decodeContent(content, encoding) : await decodeLong(content, encoding)
  if (typeof bytes === 'string') throw invalid('content', bytes)
  return { bytes, size: bytes.length, digest: await digestOf(bytes) }
}

export const files = router({
  list: inSpace('files', 'files_write')
    .meta({
      openapi: {
        operationId: 'listFiles',
        method: 'GET',
        path: '/spaces/{subdomain}/files',
        tags,
        summary: 'List the files',
        description: 'All files of the space, newest first, and how much of the quota they use.',
      },
      tool: {
        name: 'list_files',
        description:
          'Returns all files, newest first, each with the url that pages use for it, and how much of the quota is used.',
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(validatedInSlices(FileList))
    .query(async ({ ctx }) => {
      const rows = await listFiles(ctx.sql, ctx.space.id)
      return {
        data: await mapInSlices(rows, row => toFile(ctx.core.addresses, row)),
        storage: {
          used: rows.reduce((sum, { size }) => sum + size, 0),
          quota: rules.file.quota_bytes,
          file_max_bytes: rules.file.max_bytes,
        },
      }
    }),

  create: inSpace('files_write')
    .meta({
      openapi: {
        operationId: 'uploadFile',
        method: 'POST',
        path: '/spaces/{subdomain}/files',
        tags,
        summary: 'Upload a file',
        description:
          'Uploading a name that already exists creates another file. Anyone who knows the address can fetch the file.',
      },
      status: 201,
      errors: ['storage_quota_exceeded', 'limit_reached'],
      bodyLimit: limits.fileBody,
      tool: {
        name: 'upload_file',
        description: `Stores an image, font, stylesheet or any other file and returns the url that pages use for it; anyone can fetch it. Scripts never run from this url: write them into a scripted page. If a file has the name already, a second one is created: to replace a file, use update_file. All files of a space can have ${rules.file.quota_bytes} bytes in total.`,
      },
    })
    .input(NewFile)
    .output(File)
    .mutation(async ({ ctx, input }) => {
      return storeFile(ctx, input.name, await contentFrom(input.content, input.encoding))
    }),

  createFromUrl: inSpace('files_write')
    .meta({
      errors: ['storage_quota_exceeded', 'limit_reached'],
      tool: {
        name: 'upload_file_from_url',
        title: 'Upload a file from an address',
        description:
          'Fetches a file from an https address on the public internet and stores a copy, as upload_file does with a file that you send. Use this tool instead of sending base64. The copy does not follow later changes of the original.',
        isAdditive: true,
      },
    })
    .input(FileFromUrl)
    .output(File)
    .mutation(async ({ ctx, input }) => {
      const { name, bytes } = await fetchForeign(ctx.core, ctx.accountId, input)
      return storeFile(ctx, name, { bytes, size: bytes.length, digest: await digestOf(bytes) })
    }),

  get: inSpace('files', 'files_write')
    .meta({
      openapi: {
        operationId: 'getFile',
        method: 'GET',
        path: '/spaces/{subdomain}/files/{file_id}',
        tags,
        summary: 'Read a file',
        description: 'The metadata of the file. Fetch its content from `url`.',
      },
      errors: ['file_not_found'],
      conditional: [],
      tool: {
        name: 'get_file',
        description: 'Returns name, type, size and url of a file, not its content: fetch that from the url.',
      },
    })
    .input(z.strictObject({ subdomain, file_id: fileId }))
    .output(File)
    .query(async ({ ctx, input }) => {
      const row = await findFile(ctx.sql, ctx.space.id, input.file_id)
      if (!row) throw new Problem('file_not_found')
      return toFile(ctx.core.addresses, row)
    }),

  update: inSpace('files_write')
    .meta({
      openapi: {
        operationId: 'updateFile',
        method: 'PATCH',
        path: '/spaces/{subdomain}/files/{file_id}',
        tags,
        summary: 'Rename or replace a file',
        description:
          'The id and the address stay the same. If you rename the file, its content type follows the new name. Browsers may show the old content for up to 5 minutes. Participants can restore the old content from the history in the dashboard.',
      },
      errors: ['file_not_found', 'storage_quota_exceeded'],
      bodyLimit: limits.fileBody,
      conditional: ['If-Match'],
      tool: {
        name: 'update_file',
        description:
          'Renames a file, replaces its content, or both; send content and encoding together. The id and url stay the same, so pages need no change; browsers may show the old content for 5 minutes. Returns the file as get_file does.',
      },
    })
    .input(FileChange)
    .output(File)
    .mutation(async ({ ctx, input }) => {
      const content =
        input.content === undefined || input.encoding === undefined
          ? undefined
          : await contentFrom(input.content, input.encoding)
      const change = async (write: SpaceWrite, replacement: FileContent | undefined) => {
        const before = await findFile(write.sql, ctx.space.id, input.file_id)
        if (!before) throw new Problem('file_not_found')
        requirePrecondition(ctx.precondition, before, 'file')
        const { name = before.name } = input
        const replaced = replacement?.digest.equals(before.digest) ? undefined : replacement
        if (name === before.name && !replaced) return before
        const size = replaced?.size ?? before.size
        if (replaced) {
          const used = await findFileUsage(write.sql, ctx.space.id, ctx.accountId)
          checkStorage(used.bytes - before.size + size)
        }
        const fields = {
          name,
          content_type: contentTypeOf(name),
          updated_at: after(before.updated_at),
        }
        sendLast(write.sql, () => updateFile(write, before, fields, replaced))
        return { ...before, ...fields, size }
      }
      const row = await (content
        ? withStaged(ctx.core, ctx.space.id, content, staged => ctx.write(write => change(write, staged)))
        : ctx.write(write => change(write, undefined)))
      return toFile(ctx.core.addresses, row)
    }),

  /**
   * Finds the pages, parts and records that contain the file's URL, for the dashboard. Does not find templates that
   * refer to the file by name.
   */
  mentions: inSpace('files')
    .input(z.strictObject({ subdomain, file_id: fileId }))
    .output(
      z.object({
        pages: z.array(z.object({ id: z.string(), slug: z.string() })),
        parts: z.array(z.object({ id: z.string(), name: z.string() })),
        records: z.array(z.object({ key: z.string() })),
      }),
    )
    .query(async ({ ctx, input }) => {
      if (!(await findFile(ctx.sql, ctx.space.id, input.file_id))) throw new Problem('file_not_found')
      return findUrlUses(ctx.sql, ctx.space.id, ctx.core.addresses.file(input.file_id))
    }),

  delete: inSpace('files_write')
    .meta({
      openapi: {
        operationId: 'deleteFile',
        method: 'DELETE',
        path: '/spaces/{subdomain}/files/{file_id}',
        tags,
        summary: 'Delete a file',
        description:
          'Its address returns 404 immediately. Participants can restore it from the history in the dashboard.',
      },
      status: 204,
      errors: ['file_not_found'],
      conditional: ['If-Match'],
      tool: {
        name: 'delete_file',
        description:
          'Deletes a file; its url stops working immediately. Pages that use it are not changed, so check them first.',
      },
    })
    .input(z.strictObject({ subdomain, file_id: fileId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const deleted = await ctx.write(async write => {
        await requirePreconditionOf(
          ctx.precondition,
          () => findFile(write.sql, ctx.space.id, input.file_id),
          'file',
        )
        return deleteItem(write, 'file', input.file_id)
      })
      if (deleted === undefined) throw new Problem('file_not_found')
    }),
})
