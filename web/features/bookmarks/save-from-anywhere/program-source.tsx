import { Link } from '@tanstack/react-router'
import { textLinkClass } from '../../../shared/pages/account-page.tsx'

/** What the groups of programs show. */
export interface ProgramGroupProps {
  /** The origin of this site. */
  site: string
  /** The address of the source code; null: the operator set none. */
  sourceCode: string | null
}

interface ProgramSourceProps extends Pick<ProgramGroupProps, 'sourceCode'> {
  /** The file to ask for: `the zip file of the extension`. */
  file: string
  /** The command that builds it. */
  command: string
}

/** Says how to get a program that is not in a store: from the operator, or built from the source code. */
export function ProgramSource({ file, command, sourceCode }: ProgramSourceProps) {
  return (
    <p className="measure text-14 text-quiet">
      <Link to="/contact" className={textLinkClass}>
        Ask the operator of this site
      </Link>{' '}
      for {file}
      {sourceCode !== null && (
        <>
          , or build it from the{' '}
          <a href={sourceCode} className={textLinkClass}>
            source code
          </a>{' '}
          with <code className="font-mono text-13 text-ink">{command}</code>
        </>
      )}
      .
    </p>
  )
}
