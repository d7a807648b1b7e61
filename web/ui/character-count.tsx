/** Shows how much of its limit a text uses, and announces when it is too long. Counts code points, as the server does. */
export function CharacterCount({
  text,
  max,
  className = '',
}: {
  text: string
  max: number
  className?: string
}) {
  const length = [...text.trim()].length
  const excess = length - max
  return (
    <span className={`text-13 tabular-nums ${excess > 0 ? 'text-danger' : 'text-quiet'} ${className}`}>
      {length}/{max} <span className="sr-only"> characters</span>
      <span role="status" className="sr-only">
        {excess > 0 && `${excess} ${excess === 1 ? 'character' : 'characters'} over the limit`}
      </span>
    </span>
  )
}
