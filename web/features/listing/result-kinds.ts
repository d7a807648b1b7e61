/** What a search finds besides videos, each on its own page. The names are part of the addresses. */
export const resultKinds = ['collections', 'people', 'tags'] as const
export type ResultKind = (typeof resultKinds)[number]
