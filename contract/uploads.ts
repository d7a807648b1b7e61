/**
 * Uploads of files to import in chunks. An upload continues after a lost connection or a closed page, and becomes an import
 * (imports.ts) once it is complete. A user has one unfinished upload.
 */
import * as t from 'typebox'
import { Import } from './imports.ts'
import { endpoint } from './protocol/endpoint.ts'
import { Id, IdParams, Time, text } from './protocol/fields.ts'
import * as limits from './protocol/limits.ts'
import { PageQuery, pageOf } from './protocol/paging.ts'
import { ownTransfer, ownTransferErrors } from './transfer.ts'

const noExtraProperties = { additionalProperties: false } as const

export const Upload = t.Object({
  id: Id,
  /** The name of the file, as the client stated it. */
  name: t.String(),
  /** In bytes: of the file, and how much of it is stored. The next chunk begins there. */
  size: t.Integer(),
  offset: t.Integer(),
  /** When it is deleted unless it continues. */
  expires_at: Time,
})
export type Upload = t.Static<typeof Upload>

export const startUpload = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'POST',
  path: '/transfer/uploads/',
  summary:
    'Start the upload of a file to import, or continue that of the same file; replaces an upload that is not active',
  body: t.Object(
    {
      name: text(limits.fileNameMax),
      /** At most `limits.uploadMax`, otherwise 413. A file that is no zip file is refused beyond `limits.importMax` once it is complete. */
      size: t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      /** When the file was last changed. An upload continues if name, size and this time are equal. */
      modified_at: Time,
    },
    noExtraProperties,
  ),
  status: 201,
  reply: Upload,
  /** already-running: another file is being uploaded, or an import is in review or not finished. */
  errors: [
    'invalid',
    'malformed-body',
    ...ownTransferErrors,
    'too-large',
    'unsupported-type',
    'already-running',
    'rate-limited',
  ],
})

export const listUploads = endpoint({
  ...ownTransfer,
  method: 'GET',
  path: '/transfer/uploads/',
  summary: 'List your unfinished upload',
  query: PageQuery,
  status: 200,
  reply: pageOf(Upload),
  errors: [...ownTransferErrors, 'invalid-page'],
})

export const addUploadChunk = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'POST',
  path: '/transfer/uploads/:id/chunks/',
  summary: 'Add the next bytes of a file, sent as application/octet-stream, at most 2 MB',
  params: IdParams,
  query: t.Object(
    {
      /** The position of the first byte in the file: the `offset` of the upload. */
      offset: t.Integer({ minimum: 0, maximum: limits.uploadMax }),
    },
    noExtraProperties,
  ),
  status: 200,
  reply: Upload,
  /** wrong-offset: start the upload again to learn where it continues. too-large: the chunk, or the file with it. */
  errors: [
    'invalid',
    'malformed-body',
    ...ownTransferErrors,
    'not-found',
    'wrong-offset',
    'too-large',
    'unsupported-type',
    'rate-limited',
  ],
})

export const importUpload = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'POST',
  path: '/transfer/uploads/:id/import/',
  summary: 'Make a complete upload an import in review; the upload is deleted, also if the file is refused',
  params: IdParams,
  status: 201,
  reply: Import,
  errors: [
    'invalid',
    'malformed-body',
    ...ownTransferErrors,
    'not-found',
    'upload-incomplete',
    'too-large',
    'already-running',
    'unavailable',
    'rate-limited',
  ],
})

export const deleteUpload = endpoint({
  ...ownTransfer,
  invalidatesCache: false,
  method: 'DELETE',
  path: '/transfer/uploads/:id/',
  summary: 'Delete an unfinished upload',
  params: IdParams,
  status: 204,
  reply: t.Null(),
  errors: [...ownTransferErrors, 'not-found', 'rate-limited'],
})
