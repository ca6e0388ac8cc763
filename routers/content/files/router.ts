import { z } from 'zod'
import { newId } from '../../../db/id.ts'
import type { Sql } from '../../../db/orm.ts'
import {
  deleteFile,
  findFile,
  insertFile,
  listFiles,
  sumFileSizes,
  updateFile,
} from '../../../db/queries/files.ts'
import { findUrlUses } from '../../../db/queries/url-uses.ts'
import { inSpace } from '../../access/in-space.ts'
import type { Addresses } from '../../core/addresses.ts'
import { subdomain } from '../../core/fields.ts'
import { after } from '../../core/instant.ts'
import { Problem } from '../../core/problem.ts'
import { limits, rules } from '../../core/rules.ts'
import { router } from '../../core/trpc.ts'
import { decodeContent, digestOf } from './content.ts'
import { contentTypeOf } from './filename.ts'
import { File, FileChange, FileList, fileId, NewFile } from './schema.ts'

const tags = ['Files']

type Row = Awaited<ReturnType<typeof listFiles>>[number]

/** A row as callers see it. */
const shown = (addresses: Addresses, row: Row) => ({
  id: row.id,
  name: row.name,
  content_type: row.content_type,
  size: row.size,
  url: addresses.file(row.id),
  uploaded_by: row.uploaded_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** Refuses a file that would exceed the space's quota. The space must be locked. */
const admit = async (sql: Sql, spaceId: string, size: number, replacedSize: number) => {
  const used = await sumFileSizes(sql, spaceId)
  if (used - replacedSize + size > rules.file.quota_bytes)
    throw new Problem('storage_quota_exceeded', {
      detail: `${rules.file.quota_bytes - used + replacedSize} of ${rules.file.quota_bytes} bytes are free; the file has ${size}.`,
    })
}

/** What is stored of a file's content. */
const stored = (content: string, encoding: (typeof rules.file.encodings)[number]) => {
  const bytes = decodeContent(content, encoding)
  return { bytes, size: bytes.length, digest: digestOf(bytes) }
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
        description: 'All files of the space, newest first, and how much of the quota they take.',
      },
      tool: {
        name: 'list_files',
        description:
          'Returns all files, newest first, each with the url by which pages refer to it, and how much of the quota is used.',
      },
    })
    .input(z.strictObject({ subdomain }))
    .output(FileList)
    .query(async ({ ctx }) => {
      const rows = await listFiles(ctx.sql, ctx.space.id)
      return {
        data: rows.map(row => shown(ctx.core.addresses, row)),
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
          'A name that is there already makes another file. Anybody who knows the address can fetch it.',
      },
      status: 201,
      errors: ['storage_quota_exceeded'],
      bodyLimit: limits.fileBody,
      tool: {
        name: 'upload_file',
        description: `Stores an image, font, stylesheet or any other file and returns the url by which pages refer to it; anybody can fetch it. Scripts never run from there: write them into a scripted page. A name that is there already makes a second file: to replace one, use update_file. All files of a space have at most ${rules.file.quota_bytes} bytes together.`,
      },
    })
    .input(NewFile)
    .output(File)
    .mutation(async ({ ctx, input }) => {
      const content = stored(input.content, input.encoding)
      const now = new Date()
      const row = await ctx.write(async sql => {
        await admit(sql, ctx.space.id, content.size, 0)
        return insertFile(sql, {
          ...content,
          space_id: ctx.space.id,
          id: newId(),
          name: input.name,
          content_type: contentTypeOf(input.name),
          uploaded_by_id: ctx.accountId,
          created_at: now,
          updated_at: now,
        })
      })
      return shown(ctx.core.addresses, row)
    }),

  get: inSpace('files', 'files_write')
    .meta({
      openapi: {
        operationId: 'getFile',
        method: 'GET',
        path: '/spaces/{subdomain}/files/{file_id}',
        tags,
        summary: 'Read about a file',
        description: 'What is known of the file, without its content: fetch that from its `url`.',
      },
      errors: ['file_not_found'],
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
      return shown(ctx.core.addresses, row)
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
          'Id and address stay. A new name decides the content type again; browsers may show the old content for up to 5 minutes, and it cannot be recovered.',
      },
      errors: ['file_not_found', 'storage_quota_exceeded'],
      bodyLimit: limits.fileBody,
      tool: {
        name: 'update_file',
        description:
          'Renames a file, replaces its content, or both; send content and encoding together. Id and url stay, so pages need no change; browsers may show the old content for 5 minutes. It cannot be recovered. Returns the file as get_file does.',
      },
    })
    .input(FileChange)
    .output(File)
    .mutation(async ({ ctx, input }) => {
      const content =
        input.content === undefined || input.encoding === undefined
          ? undefined
          : stored(input.content, input.encoding)
      const row = await ctx.write(async sql => {
        const before = await findFile(sql, ctx.space.id, input.file_id)
        if (!before) throw new Problem('file_not_found')
        const { name = before.name } = input
        const isSameContent = !content || content.digest.equals(before.digest)
        if (name === before.name && isSameContent) return before
        if (content) await admit(sql, ctx.space.id, content.size, before.size)
        const change = {
          name,
          content_type: contentTypeOf(name),
          updated_at: after(before.updated_at),
        }
        await updateFile(sql, ctx.space.id, input.file_id, { ...content, ...change })
        return { ...before, ...change, size: content?.size ?? before.size }
      })
      return shown(ctx.core.addresses, row)
    }),

  /** For the screen: where the file's address is written out. Where a template finds it by name is not seen. */
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
        description: 'Its address answers 404 at once. This cannot be undone.',
      },
      status: 204,
      errors: ['file_not_found'],
      tool: {
        name: 'delete_file',
        description:
          'Deletes a file for good; its url stops working at once. Pages that refer to it are not changed, so look there first.',
      },
    })
    .input(z.strictObject({ subdomain, file_id: fileId }))
    .output(z.void())
    .mutation(async ({ ctx, input }) => {
      const found = await ctx.write(sql => deleteFile(sql, ctx.space.id, input.file_id))
      if (!found) throw new Problem('file_not_found')
    }),
})
