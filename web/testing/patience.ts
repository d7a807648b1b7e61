import { configure } from '@testing-library/react'

// A busy machine is slow, not wrong: what is loaded late may take longer than the usual second.
configure({ asyncUtilTimeout: 15_000 })
