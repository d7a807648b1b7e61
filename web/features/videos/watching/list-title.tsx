import { Link } from '@tanstack/react-router'

const className = 'hover:underline hover:underline-offset-4'

/** Names a list that is not a collection, and links to its page, which drops parameters that it does not have. */
export function ListTitle({ list = '' }: { list?: string | undefined }) {
  const query = Object.fromEntries(new URLSearchParams(list))
  const { liked_by, user, q, tag, sort } = query
  const owner = liked_by ?? user
  if (owner !== undefined) {
    const tab = liked_by === undefined ? undefined : 'liked'
    return (
      <Link
        to="/users/$username"
        params={{ username: owner }}
        search={{ ...query, tab }}
        className={className}
      >
        {liked_by === undefined ? `Bookmarks of ${owner}` : `Liked by ${owner}`}
      </Link>
    )
  }
  return (
    <Link to="/explore" search={query as object} className={className}>
      {q ?? (tag === undefined ? (sort === 'following' ? 'Following' : 'Explore') : `#${tag}`)}
    </Link>
  )
}
