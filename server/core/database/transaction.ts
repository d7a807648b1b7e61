/** Transactions, and tasks that run after their commit. */
import type { Db, Sql, TransactionSql } from './database.ts'

type Task = (db: Sql) => Promise<unknown>

const tasksByTransaction = new WeakMap<Db, Task[]>()

/**
 * Runs `work` in a transaction and, once it is committed, the tasks that it registered with `afterCommit`, in order.
 * A task that fails does not fail the call, because the work is done.
 */
export async function withTransaction<T>(db: Sql, work: (tx: TransactionSql) => Promise<T>): Promise<T> {
  const tasks: Task[] = []
  const result = await db.begin(async (tx) => {
    tasksByTransaction.set(tx, tasks)
    return work(tx)
  })
  for (const task of tasks) await task(db).catch(() => {})
  return result as T
}

/**
 * Registers a task that runs after the commit of `tx`, and does not run if `tx` is rolled back.
 * @throws Error if `tx` was not opened by `withTransaction`.
 */
export function afterCommit(tx: Db, task: Task): void {
  const tasks = tasksByTransaction.get(tx)
  if (tasks === undefined) throw new Error('afterCommit needs a transaction of withTransaction')
  tasks.push(task)
}
