/**
 * The straw-man: transactions on hash maps in one process, with locks and nothing else. It keeps no logs and no
 * replicas and survives no crash, so its throughput on a workload is about the upper limit of plain Java, to which
 * Tidepool is compared. {@link tidepool.bench.straw.StrawStore} is the entry point.
 */
package tidepool.bench.straw;
