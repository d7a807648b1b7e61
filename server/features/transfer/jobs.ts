import type { JobQueue } from '../../core/database/jobs.ts'
import type { Deps } from '../../core/deps.ts'
import { findAbandonedExports, removeExpiredExports } from './export-queries.ts'
import { findAbandonedImports, removeOldImports } from './import-queries.ts'
import { runImport } from './run-import.ts'
import { removeOldUploads } from './uploads/queries.ts'
import { writeExport } from './write-export.ts'

/** Sent in the transaction that creates the export. */
export const writeExportJob = { name: 'write-export' }

/** Sent in the transaction that starts an import or its undo. */
export const runImportJob = { name: 'run-import' }

/** Sent in the transaction that creates the import of a web address. */
export const fetchSourceJob = { name: 'fetch-source' }

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'log' | 'media' | 'outbound' | 'settings'>

/** How many seconds the largest account may take. A dead process is noticed earlier, by its missing heartbeat. */
const maxSeconds = 6 * 60 * 60

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function transferQueues(needs: Dependencies): JobQueue<any>[] {
  const { db, jobs, log } = needs
  /** Logs a failure instead of retrying: `resume-transfers` retries failed and abandoned transfers alike. */
  const logFailure = (work: Promise<void>, context: object) =>
    work.catch((error: unknown) =>
      log.warn({ err: error, ...context }, 'a transfer failed and will be retried'),
    )
  return [
    {
      ...writeExportJob,
      retries: 0,
      seconds: maxSeconds,
      concurrency: 2,
      work: ({ export_id }: { export_id: number }) =>
        logFailure(writeExport(needs, export_id), { export_id }),
    },
    {
      ...runImportJob,
      changesResponses: true,
      retries: 0,
      seconds: maxSeconds,
      concurrency: 2,
      work: ({ import_id }: { import_id: number }) => logFailure(runImport(needs, import_id), { import_id }),
    },
    {
      // A queue of its own, because slow sites must not delay imports.
      ...fetchSourceJob,
      retries: 0,
      seconds: 300,
      concurrency: 2,
      work: ({ import_id }: { import_id: number }) => logFailure(runImport(needs, import_id), { import_id }),
    },
    {
      name: 'resume-transfers',
      cron: '* * * * *',
      retries: 0,
      seconds: 50,
      concurrency: 1,
      work: async () => {
        for (const export_id of await findAbandonedExports(db))
          await jobs.send(db, writeExportJob, { export_id })
        for (const { id, state } of await findAbandonedImports(db))
          await jobs.send(db, state === 'fetching' ? fetchSourceJob : runImportJob, { import_id: id })
      },
    },
    {
      name: 'remove-old-uploads',
      cron: '11 * * * *',
      retries: 3,
      seconds: 600,
      concurrency: 1,
      work: () => removeOldUploads(db),
    },
    {
      name: 'remove-old-transfers',
      cron: '41 3 * * *',
      retries: 3,
      seconds: 600,
      concurrency: 1,
      work: async () => {
        await removeExpiredExports(db)
        await removeOldImports(db)
      },
    },
  ]
}
