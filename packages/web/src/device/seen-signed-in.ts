const STORED = 'countersign.signed-in'

type Storage = { getItem: (key: string) => string | null; setItem: (key: string, value: string) => void }

/** Whether somebody was signed in at the last visit. A hint of how much room the frame needs, never of who is signed in. */
export function wasSignedIn(storage: Storage): boolean {
  return storage.getItem(STORED) === 'yes'
}

/** Keeps whether somebody is signed in, for the room of the frame at the next visit. */
export function noteSignedIn(storage: Storage, isSignedIn: boolean): void {
  if (wasSignedIn(storage) !== isSignedIn) storage.setItem(STORED, isSignedIn ? 'yes' : 'no')
}
