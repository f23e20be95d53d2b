import type { Executor } from './client.ts'

/**
 * A statement in each of its forms, built once for each database and for each connection that runs transactions: where many
 * ask for it, writing its SQL takes longer than reading its rows.
 */
export function builtOnce<Form extends string, Statement>(
  build: (db: Executor, form: Form) => Statement,
): (db: Executor, form: Form) => Statement {
  const built = new WeakMap<Executor, Map<Form, Statement>>()
  return (db, form) => {
    const forms = built.get(db) ?? new Map<Form, Statement>()
    built.set(db, forms)
    const statement = forms.get(form) ?? build(db, form)
    forms.set(form, statement)
    return statement
  }
}
