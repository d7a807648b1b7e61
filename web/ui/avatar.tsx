const sizes = {
  sm: 'size-6',
  md: 'size-10',
  lg: 'size-20 sm:size-24',
}

const pixels = { sm: 24, md: 40, lg: 96 }

/** The avatar of a user. It always stands beside the username, so screen readers skip it. */
export function Avatar({
  src,
  size = 'md',
  className = '',
}: {
  src: string
  size?: keyof typeof sizes
  className?: string
}) {
  return (
    <img
      src={src}
      alt=""
      width={pixels[size]}
      height={pixels[size]}
      decoding="async"
      className={`${sizes[size]} shrink-0 rounded-full border border-line bg-hover object-cover ${className}`}
    />
  )
}
