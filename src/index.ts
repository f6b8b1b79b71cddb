export { HoldfastError, type ErrorCode } from './util/errors.ts';
export { Entity, hasOwnKey } from './schema/Entity.ts';
export { Delete, Delete as Invalidate } from './schema/Delete.ts';
export { validateRequired } from './schema/validateRequired.ts';
export { references } from './schema/references.ts';
export type { EntityClass, EntityValue, Invalidity, Meta } from './schema/EntityClass.ts';
export type {
  Converter,
  Denormalize,
  DenormalizeVisitor,
  NormalizeVisitor,
  ObjectSchema,
  Passthrough,
  QueryVisitor,
  ReferenceVisitor,
  Schema,
  SchemaObject,
} from './schema/Schema.ts';
export type { Changes } from './store/changes.ts';
export type { Action, Commit, LayerId } from './store/Commit.ts';
export type { StoredResult, StoredRow, State } from './store/State.ts';
export type { Table } from './store/Table.ts';
export { Controller } from './controller/Controller.ts';
export type { Plugin, PluginRequest, Restored, Wanted } from './controller/Plugin.ts';
