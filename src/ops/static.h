/* static.h - an array of a static type as an ordinary one, for the time of a call. */
#ifndef ASH__STATIC_H
#define ASH__STATIC_H
#include "ashlar/static.h"

/* The public function that was called: the type's name, an underscore, and the word. */
typedef struct ash__static_name {
    char text[48]; /* as ash_error has */
} ash__static_name;
ash__static_name ash__static_function(const ash_static_view *view, const char *word);

/* The owner, or an array over the lent memory: the caller's, ended by ash__static_give_back or ash_release. NULL with an error
 * where there is no memory. */
ash_array *ash__static_borrow(const char *function, const ash_static_view *view);
/* Ends a borrowed array, and waits for its elements, which the program reads next; gives back the status. */
ash_status ash__static_give_back(ash_array *a, ash_status status);
#endif
