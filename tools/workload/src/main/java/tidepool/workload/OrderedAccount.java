package tidepool.workload;

import tidepool.schema.Key;
import tidepool.schema.Ordered;

/** An account in a table that is read in the order of its keys. */
@Ordered
record OrderedAccount(@Key long id, long cents) {}
