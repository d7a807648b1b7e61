import { useQuery } from '@tanstack/react-query'
import { collectionsQuery } from './queries.ts'

/** Returns the names of a user's collections by id; undefined while they are not known. */
export function useCollectionNames(
  username: string,
  enabled = true,
): ReadonlyMap<number, string> | undefined {
  return useQuery({ ...collectionsQuery(username), enabled, select: namesById }).data
}

const namesById = (list: readonly { id: number; name: string }[]) =>
  new Map(list.map(({ id, name }) => [id, name]))
