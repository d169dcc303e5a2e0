/**
 * Reads recorded histories of transactions and reports every isolation anomaly that they prove.
 *
 * <p>The steps of a history, each in its own file:
 *
 * <pre>
 *   lines of JSON  -> LineSource, EventParser   one event per line, with its line number
 *   events         -> HistoryBuilder            each completion finds its invocation: a History in columns
 *   versions       -> VersionOrders             which write replaced which, which read saw which
 *   range reads    -> RangeReads                what they say of rows that they did not return
 *   single reads   -> ReadChecks, WriteChecks   anomalies that need no cycle
 *   dependencies   -> Dependencies              ww, wr, rw, process and real-time edges: a Graph
 *   cycles         -> CycleSearch               components first, then a shortest cycle inside each
 *   sentences      -> Narrator                  why each edge of a cycle exists
 * </pre>
 *
 * <p>The method is that of Elle (Kingsbury, Alvaro: "Elle: Inferring Isolation Anomalies from Experimental
 * Observations", VLDB 2020); the format and what can and cannot be proven are described in {@code
 * docs/evidence/histories.md}.
 */
package tidepool.history;
