/** Exports with pictures, and what is in their zip files. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as limits from '@reelmark/contract/protocol/limits.ts'
import { type ExportSource, getExport, startExport, type TransferFile } from '@reelmark/contract/transfer.ts'
import { expect } from 'vitest'
import type { TestApp } from '../../testing/test-app.ts'
import type { TestUser } from '../../testing/test-users.ts'
import { storeUpload } from './formats/uploaded-file.ts'
import { openArchive } from './formats/zip-archive.ts'
import { waitUntilFinished } from './full-account.fixture.ts'

/** Exports and downloads the file of an export. */
export async function requestExport(site: TestApp, user: TestUser, query: ExportSource) {
  const { id } = await site.call(startExport, { query }, user)
  const finished = await waitUntilFinished(() => site.call(getExport, { params: { id } }, user))
  expect(finished.state).toBe('done')
  const reply = await site.app.inject({
    url: `/api/transfer/exports/${id}/file/`,
    headers: { authorization: `Bearer ${user.access}` },
  })
  return { finished, headers: reply.headers, content: reply.rawPayload }
}

/** Returns the files in a zip file by their names. */
export async function unzip(content: Buffer): Promise<Map<string, Buffer>> {
  await using upload = await storeUpload(Readable.from([content]), limits.importMax)
  await using archive = await openArchive(upload)
  const files = new Map<string, Buffer>()
  for (const entry of archive.entries) files.set(entry.name ?? '', await buffer(entry.open()))
  return files
}

/** Returns the exported file and the pictures in the zip file of an export. */
export async function readExportZip(
  content: Buffer,
): Promise<{ file: TransferFile; pictures: Map<string, Buffer> }> {
  const pictures = await unzip(content)
  const name = [...pictures.keys()].find((entry) => entry.endsWith('.json')) ?? ''
  const file: TransferFile = JSON.parse(pictures.get(name)?.toString() ?? '')
  pictures.delete(name)
  return { file, pictures }
}
