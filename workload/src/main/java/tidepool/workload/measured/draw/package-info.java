/** How workloads choose keys. All follows from a seed, the same on every machine, and nothing is allocated. */
package tidepool.workload.measured.draw;
