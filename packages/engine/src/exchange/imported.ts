/** `misplaced`: paths that are not in this workspace; they were left out. */
export type Imported = { readonly taken: number; readonly misplaced: readonly string[] };
