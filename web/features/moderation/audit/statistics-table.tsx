import type { ReactNode } from 'react'

/** A table of numbers. The last column is for text, and narrow screens leave it out. */
export function Table({
  caption,
  columns,
  children,
}: {
  caption: string
  columns: readonly string[]
  children: ReactNode
}) {
  return (
    <table className="w-full text-14">
      <caption className="pb-2 text-left text-16 font-semibold text-ink">{caption}</caption>
      <thead>
        <tr className="text-13 text-quiet">
          {columns.map((name, index) => (
            <th
              key={name}
              scope="col"
              className={`py-2 font-medium ${index === 0 ? 'pr-3 text-left' : index === columns.length - 1 ? 'w-1/4 pl-3 text-left max-sm:hidden' : 'px-1 text-right sm:px-3'}`}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

/** A number in a table. */
export function Cell({ children }: { children: string }) {
  return <td className="px-1 py-2.5 text-right tabular-nums sm:px-3">{children}</td>
}
