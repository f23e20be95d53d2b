/**
 * Waits for statements of one transaction that were sent together. After the first that fails PostgreSQL refuses the others
 * for that reason alone, and their refusals may be heard before: the first in the order of sending says what was wrong.
 */
export async function inOrder<results extends readonly unknown[]>(
  ...statements: { [at in keyof results]: Promise<results[at]> }
): Promise<results> {
  const settled = await Promise.allSettled(statements)
  for (const result of settled) if (result.status === 'rejected') throw result.reason
  return Promise.all(statements) as Promise<unknown> as Promise<results>
}
