import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSwipe } from './use-swipe.ts'

const onNext = vi.fn()
const onPrevious = vi.fn()

function Stage() {
  useSwipe(onNext, onPrevious)
  return <div className="stage-area">Film</div>
}

beforeEach(() => {
  onNext.mockClear()
  onPrevious.mockClear()
  render(<Stage />)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const at = (clientX: number, clientY = 100) => ({ clientX, clientY }) as Touch

function start(...touches: Touch[]) {
  fireEvent.touchStart(screen.getByText('Film'), { touches })
}
function end(touch: Touch) {
  fireEvent.touchEnd(screen.getByText('Film'), { changedTouches: [touch] })
}

test('a finger that moves to the side goes to the next or previous video', () => {
  start(at(200))
  end(at(100))
  expect([onNext.mock.calls.length, onPrevious.mock.calls.length]).toEqual([1, 0])
  start(at(100))
  end(at(200))
  expect([onNext.mock.calls.length, onPrevious.mock.calls.length]).toEqual([1, 1])
})

test('a gesture of two fingers is no swipe, whichever is lifted first', () => {
  start(at(200))
  start(at(200), at(300))
  end(at(50))
  end(at(50))
  expect([onNext.mock.calls, onPrevious.mock.calls]).toEqual([[], []])
})

test('moving a page that is zoomed in is no swipe', () => {
  vi.stubGlobal('visualViewport', { scale: 2 })
  start(at(200))
  end(at(50))
  expect(onNext).not.toHaveBeenCalled()
})

test('a touch that the browser takes over is no swipe', () => {
  start(at(200))
  fireEvent.touchCancel(screen.getByText('Film'))
  end(at(50))
  expect(onNext).not.toHaveBeenCalled()
})
