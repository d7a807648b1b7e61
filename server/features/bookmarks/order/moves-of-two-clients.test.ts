/** Two clients reorder the same list at the same time, each with its own and possibly outdated view of it. */
import { restoreBookmark, trashBookmark } from '@reelmark/contract/bookmark-changes.ts'
import { reorderBookmark } from '@reelmark/contract/bookmark-order.ts'
import { updateCollection } from '@reelmark/contract/collections.ts'
import { type ListingPage, listVideos } from '@reelmark/contract/listing.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDestination, insertBookmarks, saveFilm } from '../../../testing/test-bookmarks.ts'
import { useSite } from '../../../testing/use-site.ts'

const { site, alice } = await useSite()

/** A change by the indexes of bookmarks, so that it makes sense for any list. */
type Change =
  | { kind: 'after'; bookmark: number; neighbour: number }
  | { kind: 'top'; bookmark: number }
  | { kind: 'position'; bookmark: number; position: number }
  | { kind: 'trash'; bookmark: number }
  | { kind: 'restore'; bookmark: number }

/** The list as an array, and the order that its bookmarks in the trash come back to. */
interface Model {
  /** All bookmarks in order, also those in the trash. */
  order: number[]
  trashed: ReadonlySet<number>
}

const shown = ({ order, trashed }: Model) => order.filter((id) => !trashed.has(id))

/** Returns the model after a change; the same model if the change is refused. */
function applyChange(model: Model, ids: readonly number[], change: Change): Model {
  const id = ids[change.bookmark] as number
  const { order, trashed } = model
  if (change.kind === 'trash' || change.kind === 'restore') {
    const others = [...trashed].filter((other) => other !== id)
    return { order, trashed: new Set(change.kind === 'trash' ? [...others, id] : others) }
  }
  if (trashed.has(id)) return model
  const others = shown(model).filter((other) => other !== id)
  const neighbour =
    change.kind === 'top'
      ? null
      : change.kind === 'after'
        ? (ids[change.neighbour] as number)
        : (others[Math.min(change.position, others.length + 1) - 2] ?? null)
  if (neighbour !== null && !others.includes(neighbour)) return model
  // A bookmark that is there already is not moved, also past bookmarks in the trash.
  const before = shown(model)[shown(model).indexOf(id) - 1] ?? null
  if (before === neighbour) return model
  const rest = order.filter((other) => other !== id)
  const at = neighbour === null ? 0 : rest.indexOf(neighbour) + 1
  return { order: [...rest.slice(0, at), id, ...rest.slice(at)], trashed }
}

function send(collection: number, ids: readonly number[], change: Change): Promise<unknown> {
  const params = { id: ids[change.bookmark] as number }
  switch (change.kind) {
    case 'trash':
      return site.call(trashBookmark, { params }, alice)
    case 'restore':
      return site.call(restoreBookmark, { params }, alice)
    case 'after': {
      const after = ids[change.neighbour] as number
      return site.call(reorderBookmark, { params, body: { collection, after } }, alice)
    }
    case 'top':
      return site.call(reorderBookmark, { params, body: { collection, after: null } }, alice)
    case 'position':
      return site.call(reorderBookmark, { params, body: { collection, position: change.position } }, alice)
  }
}

/** Reads the whole list by its links. */
async function readAll(collection: number, pageSize: number): Promise<number[]> {
  const first = await site.call(listVideos, { query: { collection, page_size: pageSize } }, alice)
  const ids = first.results.map(({ id }) => id)
  for (let { next } = first; next !== null; ) {
    const reply = await site.app.inject({ url: next, headers: { authorization: `Bearer ${alice.access}` } })
    const page: ListingPage = reply.json()
    ids.push(...page.results.map(({ id }) => id))
    next = page.next
  }
  return ids
}

const size = 9
const index = fc.integer({ min: 0, max: size - 1 })
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('after' as const), bookmark: index, neighbour: index }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('top' as const), bookmark: index }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('position' as const),
      bookmark: index,
      position: fc.integer({ min: 1, max: size + 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('trash' as const, 'restore' as const), bookmark: index }),
  },
)

let lists = 0

/** Checks that the list is always what one of the two changes and then the other leaves. */
async function checkMoves(numRuns: number): Promise<void> {
  let moves = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(change, change), { minLength: 4, maxLength: 8 }), async (rounds) => {
      lists += 1
      const { collection_id: collection } = await createDestination(site, alice)
      const ids: number[] = []
      for (let n = 0; n < size; n++) {
        const bookmark = { collection_id: collection }
        ids.unshift((await saveFilm(site, alice, `moves-${lists}-${n}`, { bookmark })).id)
      }
      await site.call(updateCollection, { params: { id: collection }, body: { list_order: 'manual' } }, alice)
      let possible: Model[] = [{ order: ids, trashed: new Set() }]
      for (const [first, second] of rounds) {
        const replies = await Promise.allSettled([
          send(collection, ids, first),
          send(collection, ids, second),
        ])
        for (const reply of replies) {
          if (reply.status === 'rejected') expect([404, 409]).toContain(reply.reason.status)
        }
        const list = await readAll(collection, 4)
        possible = possible
          .flatMap((model) => [
            applyChange(applyChange(model, ids, first), ids, second),
            applyChange(applyChange(model, ids, second), ids, first),
          ])
          .filter((model) => shown(model).join() === list.join())
        expect(possible, `${JSON.stringify([first, second])} left ${list}`).not.toHaveLength(0)
        moves += 2
      }
    }),
    { numRuns, seed: 13 },
  )
  expect(moves).toBeGreaterThan(numRuns * 8)
}

test('any moves of two clients leave the list that one move after the other leaves', () => checkMoves(6))
test(
  '150 sequences of moves leave the list that one move after the other leaves',
  { tags: 'heavy', timeout: 600_000 },
  () => checkMoves(150),
)

test('a list of 10,000 loses and repeats nothing while two clients move bookmarks', {
  tags: 'heavy',
  timeout: 600_000,
}, async () => {
  const { collection_id: collection } = await createDestination(site, alice)
  await insertBookmarks(site, alice, collection, 10_000)
  const all = await readAll(collection, 100)
  expect(new Set(all).size).toBe(10_000)
  const pick = fc
    .sample(fc.integer({ min: 0, max: 9999 }), { numRuns: 400, seed: 5 })
    .map((n) => all[n] as number)
  const client = async (from: number) => {
    for (let n = from; n + 2 < pick.length; n += 4) {
      const [id, after] = [pick[n] as number, pick[n + 1] as number]
      if (id === after) continue
      const body = n % 8 < 4 ? { collection, after } : { collection, position: ((n * 37) % 10_000) + 1 }
      await site.call(reorderBookmark, { params: { id }, body }, alice)
    }
  }
  await Promise.all([client(0), client(2)])
  const list = await readAll(collection, 100)
  expect(list).toHaveLength(10_000)
  expect(new Set(list)).toEqual(new Set(all))
  const last = pick[396] as number
  await site.call(reorderBookmark, { params: { id: last }, body: { collection, position: 9000 } }, alice)
  const page = await site.call(listVideos, { query: { collection, page_size: 100, page: 90 } }, alice)
  expect(page.results[99]?.id).toBe(last)
})
