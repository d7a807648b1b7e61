import type { JobQueue } from '../../../core/database/jobs.ts'
import type { Deps } from '../../../core/deps.ts'
import { deliverWebhook } from './deliver.ts'
import { findDueWebhooks } from './delivery-queries.ts'
import { deliverWebhookJob } from './events.ts'
import { removeOldDeliveries } from './queries.ts'

type Dependencies = Pick<Deps, 'db' | 'jobs' | 'outbound' | 'serverKeys' | 'settings'>

// biome-ignore lint/suspicious/noExplicitAny: each queue has its own data; send() and work() agree through JobQueue.
export function webhookQueues(deps: Dependencies): JobQueue<any>[] {
  const { db, jobs } = deps
  return [
    {
      ...deliverWebhookJob,
      // `resume-webhooks` repeats it.
      retries: 0,
      seconds: 300,
      concurrency: 4,
      work: ({ webhook_id }: { webhook_id: number }) => deliverWebhook(deps, webhook_id),
    },
    {
      name: 'resume-webhooks',
      cron: '* * * * *',
      retries: 0,
      seconds: 50,
      concurrency: 1,
      work: async () => {
        const due = await findDueWebhooks(db)
        await jobs.sendMany(
          db,
          deliverWebhookJob,
          due.map((webhook_id) => ({ webhook_id })),
        )
      },
    },
    {
      name: 'remove-old-deliveries',
      cron: '47 3 * * *',
      retries: 3,
      seconds: 3600,
      concurrency: 1,
      work: () => removeOldDeliveries(db),
    },
  ]
}
