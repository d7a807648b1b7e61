/** Screens names and descriptions of collections and channels against the content rules. */

import type { Db, Sql } from '../../core/database/database.ts'
import { currentRules, reportHeldUser, screenContent } from '../moderation/public-api.ts'

interface ContainerTexts {
  name?: string | undefined
  description?: string | undefined
}

/**
 * Screens the texts of a collection or channel, and reports its owner if one of them would be held. Moderators must not
 * learn about private collections: those are reported once they become public.
 * @param db the pool, whose rules are cached
 * @throws InvalidFields for text that a rule refuses
 */
export async function screenContainer(
  db: Sql,
  tx: Db,
  { name, description }: ContainerTexts,
  { ownerId, isPublic }: { ownerId: number; isPublic: boolean },
): Promise<void> {
  const held = screenContent(await currentRules(db, tx), [
    { field: 'name', text: name },
    { field: 'description', text: description },
  ])
  if (held !== null && isPublic) await reportHeldUser(tx, ownerId, `A collection or channel. ${held}`)
}

/**
 * Screens a change of a collection. If it makes a private collection public, all its texts and those of its channels are
 * screened.
 * @throws InvalidFields for text that a rule refuses, at the field `access` for unchanged text
 */
export async function screenCollectionChange(
  db: Sql,
  tx: Db,
  collectionId: number,
  ownerId: number,
  { access, ...changed }: ContainerTexts & { access?: 'public' | 'private' | undefined },
): Promise<void> {
  const [collection] = await tx<{ access: string; texts: string[] }[]>`
    select c.access, array[c.name, c.description] || array(
             select unnest(array[ch.name, ch.description]) from channels ch where ch.collection_id = c.id) as texts
      from collections c where c.id = ${collectionId}`
  const isPublic = (access ?? collection?.access) === 'public'
  await screenContainer(db, tx, changed, { ownerId, isPublic })
  if (!isPublic || collection?.access !== 'private') return
  const [name, description, ...ofChannels] = collection.texts
  const texts = [changed.name ?? name, changed.description ?? description, ...ofChannels]
  const held = screenContent(
    await currentRules(db, tx),
    texts.map((text) => ({ field: 'access', text })),
  )
  if (held !== null) await reportHeldUser(tx, ownerId, `A collection or channel. ${held}`)
}
