package tidepool.workload.measured;

import tidepool.store.schema.Schema;

/**
 * A table of a workload.
 *
 * @param schema its rows, and what the mix of transactions changes in them
 * @param rows at most, those that a run inserts included
 */
public record TableSpec(Schema schema, long rows) {}
