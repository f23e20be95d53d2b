/** A page of the server has about 1 MiB at the most: more than these nobody waits for. */
const MAX_PAGES = 12

/** All of a list whose pages end by their bytes. `isCut`: there is more. */
export async function allPages<Page extends { nextCursor: string | null }, Item>(
  read: (cursor: string | undefined) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<{ items: Item[]; isCut: boolean }> {
  const items: Item[] = []
  let cursor: string | undefined
  for (let at = 0; at < MAX_PAGES; at += 1) {
    const page = await read(cursor)
    items.push(...itemsOf(page))
    cursor = page.nextCursor ?? undefined
    if (!cursor) break
  }
  return { items, isCut: cursor !== undefined }
}
