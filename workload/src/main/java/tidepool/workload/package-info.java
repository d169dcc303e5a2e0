/**
 * Work for a pool, with the means to tell whether it was done right: SmallBank, whose money is added up, and list-append,
 * whose history is checked; in threads of this process, or in processes that may be killed.
 */
package tidepool.workload;
