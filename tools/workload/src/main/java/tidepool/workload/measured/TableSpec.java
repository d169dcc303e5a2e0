package tidepool.workload.measured;

import tidepool.schema.Schema;

/**
 * A table of a workload.
 *
 * @param schema its rows, and the attributes that the mix of transactions changes
 * @param rows highest number of rows, those that a run inserts included
 */
public record TableSpec(Schema schema, long rows) {}
