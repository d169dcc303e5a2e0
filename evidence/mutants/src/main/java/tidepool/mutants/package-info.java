/**
 * Mutation testing: seeded single faults in the compiled classes of a module, and the tests that detect them.
 *
 * <pre>
 *   MutantsMain     options, plan, progress, report
 *      Sites        every place of a class that can be changed, in a fixed order
 *      Mutation     kinds of change, and how each is made
 *      TestTimes    a run of all tests without a change: how long each class takes, and which methods it enters
 *      SharedRun    a child JVM of many trials: exchanges the class, runs tests, puts the class back
 *      TestRun      a child JVM: a changed class first on the class path, and the tests that enter its method
 * </pre>
 */
package tidepool.mutants;
