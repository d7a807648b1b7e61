/**
 * The rights of the application's database role. It reads and writes data; it owns no table, so that it can neither
 * change the schema nor disable a trigger, and it can only add to the audit log. The owner of the tables runs migrations,
 * backup and restore (docs/decisions/0033-operators-and-least-privilege.md).
 */
import type { TransactionSql } from './database.ts'
import { quoteName } from './statement.ts'

/** Returns the role of a connection URL; empty: that of the environment. */
export function roleOf(databaseUrl: string): string {
  return decodeURIComponent(new URL(databaseUrl).username)
}

/**
 * Grants `role` what the application needs. Does nothing for the owner itself. Repeated after every migration, because
 * tables may be new; the caller holds the migration lock.
 */
export async function grantAppRights(tx: TransactionSql, role: string): Promise<void> {
  const [current] = await tx<[{ is_owner: boolean }]>`select ${role} in ('', current_user) as is_owner`
  if (current.is_owner) return
  const name = quoteName(role)
  await tx.unsafe(`
    grant usage on schema public to ${name};
    grant select, insert, update, delete on all tables in schema public to ${name};
    grant usage, select on all sequences in schema public to ${name};
    revoke insert, update, delete on schema_migrations from ${name};
    revoke update, delete on audit_log from ${name};
    grant usage, create on schema jobs to ${name};
  `)
  await giveJobsTo(tx, name)
}

/**
 * Makes the role the owner of the tables, types and functions of pg-boss, which migrates them itself. A database from
 * before has them in the name of the owner.
 */
async function giveJobsTo(tx: TransactionSql, name: string): Promise<void> {
  const objects = await tx<{ change: string }[]>`
    select format('alter table %s', c.oid::regclass) as change
      from pg_class c join pg_roles r on r.oid = c.relowner
     where c.relnamespace = 'jobs'::regnamespace and c.relkind in ('r', 'p') and r.rolname = current_user
    union all
    select format('alter type %s', format_type(t.oid, null))
      from pg_type t join pg_roles r on r.oid = t.typowner
     where t.typnamespace = 'jobs'::regnamespace and t.typtype = 'e' and r.rolname = current_user
    union all
    select format('alter routine %s', p.oid::regprocedure)
      from pg_proc p join pg_roles r on r.oid = p.proowner
     where p.pronamespace = 'jobs'::regnamespace and r.rolname = current_user`
  for (const { change } of objects) await tx.unsafe(`${change} owner to ${name}`)
}
