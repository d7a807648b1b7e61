const schemes = { dark: 'scheme-dark', light: 'scheme-light' }

/** A decorative miniature page in one theme, or split between two. */
export function ThemePreview({ themes }: { themes: readonly (keyof typeof schemes)[] }) {
  return (
    <span
      aria-hidden="true"
      className="relative block aspect-8/5 overflow-hidden rounded-control border border-line"
    >
      {themes.map((theme, index) => (
        <span
          key={theme}
          className={`absolute inset-0 flex flex-col gap-2 bg-surface p-2.5 ${schemes[theme]} ${index > 0 ? '[clip-path:polygon(100%_0,100%_100%,35%_100%,65%_0)]' : ''}`}
        >
          <span className="flex items-center gap-1.5">
            <span className="size-2 rounded-full bg-accent" />
            <span className="h-1.5 w-8 rounded-full bg-line-strong" />
            <span className="ml-auto h-2.5 w-6 rounded-full bg-accent" />
          </span>
          <span className="grid flex-1 grid-cols-3 gap-1.5">
            {[8, 1, 5, 10, 3, 6].map((hue) => (
              <span key={hue} className="flex flex-col gap-1">
                <span className="frame block min-h-0 flex-1 rounded-chip">
                  <span className={`placeholder hue-${hue}`} />
                </span>
                <span className="h-1 w-3/4 rounded-full bg-line" />
              </span>
            ))}
          </span>
        </span>
      ))}
    </span>
  )
}
