/** Whether an error means that code did not load, by the messages of browsers. */
export function isMissingPart(error: unknown): error is TypeError {
  return error instanceof TypeError && /import\w+ .*module/i.test(error.message)
}
