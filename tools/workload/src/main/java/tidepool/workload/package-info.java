/**
 * Workloads for a pool whose results can be checked: SmallBank, whose money is added up, and list-append, whose history
 * is checked. They run in threads of this process, or in processes that may be killed.
 */
package tidepool.workload;
