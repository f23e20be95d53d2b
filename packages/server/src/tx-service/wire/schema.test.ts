import { beforeAll, expect, test } from 'vitest'
import { openScene, server } from '../../test/scene.ts'

openScene([])

let paths: Record<string, Record<string, { parameters: { name: string }[] }>>

beforeAll(async () => {
  const response = await fetch(`${server.origin}/tx-service/schema`)
  paths = ((await response.json()) as { paths: typeof paths }).paths
})

test('behavior: every mounted route is described, and every described route is mounted', async () => {
  const answers = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [path, method]),
  )
  expect(answers.length).toBeGreaterThan(50)
  for (const [path = '', method = ''] of answers) {
    const url = path.replace('{chainId}', '31337').replace(/\{\w+\}/g, 'x')
    const { status } = await fetch(`${server.origin}${url}`, { method: method.toUpperCase() })
    // Without a token none goes further.
    expect([method, path, status]).toEqual([method, path, 401])
    for (const [, name] of path.matchAll(/\{(\w+)\}/g))
      expect(paths[path]?.[method]?.parameters.map((parameter) => parameter.name)).toContain(name)
  }
})

test('behavior: the page lists the routes and links to the schema', async () => {
  const response = await fetch(`${server.origin}/tx-service`)
  const text = await response.text()
  expect([response.status, text.includes('href="/tx-service/schema"')]).toEqual([200, true])
  for (const path of Object.keys(paths)) expect(text).toContain(path.replace('/tx-service/{chainId}/api', ''))
})
