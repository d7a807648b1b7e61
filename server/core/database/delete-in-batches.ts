/**
 * Repeats a statement that deletes at most `size` rows, each time in a transaction of its own, until it deletes fewer.
 * @returns the number of deleted rows
 */
export async function deleteInBatches(
  size: number,
  deleteBatch: () => PromiseLike<{ count: number }>,
): Promise<number> {
  let deleted = 0
  let count: number
  do {
    count = (await deleteBatch()).count
    deleted += count
  } while (count === size)
  return deleted
}
